// WordNet's nouns as a semantic network, and the networks that a policy names.
//
// A word hangs below the synset of its first sense; a synset is one step from what it is a kind or an instance of, and
// from what is a kind or an instance of it. So synonyms are two steps apart, and a dog and a cat five.
//
//   THICKET_ASSIGN(const SemanticNetwork network, ReadWordNet(WordNetFolder(), nullptr));
#pragma once

#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "policy/policy.h"
#include "taxonomy/semantic_network.h"

namespace thicket {

// Where the system keeps WordNet: /usr/share/wordnet, as Debian's wordnet-base does, unless the variable WNSEARCHDIR
// says otherwise, as it does to WordNet's own programs.
std::string WordNetFolder();

// What a policy calls the network that the system keeps.
inline constexpr std::string_view kWordNet = "wordnet";

// The next step where the files of the system are missing.
inline constexpr char kNoWordNet[] = "apt-get install wordnet-base brings WordNet's files";

struct WordNetNouns;
// kData where a word is there twice; `folder` is for the message.
Result<SemanticNetwork> NetworkOf(const WordNetNouns& nouns, const std::string& folder);

// The network of a folder with data.noun, index.noun and noun.exc. A missing file is a kIo error, a broken one kData.
// `progress` says how much may be held; null: as much as there is.
Result<SemanticNetwork> ReadWordNet(const std::string& folder, const Progress* progress = nullptr);

// The networks that quasi-identifiers of the policy name: kWordNet is the system's, anything else a folder relative
// to the policy.
Result<NetworkFiles> LoadNetworks(const Policy& policy, const Progress* progress = nullptr);

}  // namespace thicket
