#!/usr/bin/env python3
"""Wide records: FHIR bundles of patients with long histories, written and anonymized.

    bench/fhir.py [-n 300] [--k 3] [--kilobytes 640] [DIR]

Writes N bundles into DIR/bundles (a new folder without DIR): a patient each, encounters over a life, and for each encounter
conditions, procedures, medications and many observations, thousands of resources for who lived long. `thicket init` proposes the
policy, k is set, and the run is timed. All values are made up. Needs build/thicket (`make build`). Prints Markdown.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAMILIES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan"]
GIVEN = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon", "Kim", "Leo"]
CITIES = [("Leeds", "Yorkshire", "LS1 4AP"), ("York", "Yorkshire", "YO1 7HH"), ("Bath", "Somerset", "BA1 1LZ"),
          ("Wells", "Somerset", "BA5 2PU"), ("Truro", "Cornwall", "TR1 2AF"), ("Dover", "Kent", "CT16 1PB")]
VISITS = ["Check up", "Emergency", "Follow up", "Prenatal", "Vaccination", "Consultation"]
CONDITIONS = [f"{place} {what}" for what in ("infection", "fracture", "pain", "tumour", "inflammation")
              for place in ("Lung", "Heart", "Skin", "Knee", "Hip", "Ear", "Eye", "Liver")]
OBSERVATIONS = ["Body height", "Body weight", "Body mass index", "Heart rate", "Systolic pressure", "Diastolic pressure",
                "Respiratory rate", "Body temperature", "Glucose", "Haemoglobin", "Creatinine", "Sodium", "Potassium",
                "Calcium", "Cholesterol", "Triglycerides", "Pain score", "Smoking status"]
PROCEDURES = ["X-ray", "Blood test", "Physical examination", "Suture", "Biopsy", "Endoscopy", "Counselling"]
MEDICATIONS = ["Ibuprofen", "Paracetamol", "Amoxicillin", "Insulin", "Metformin", "Simvastatin", "Lisinopril"]


class Bundle:
    """The resources of one patient."""

    def __init__(self, draw):
        self.draw = draw
        self.patient = str(uuid.UUID(int=draw.getrandbits(128)))
        self.entries = []

    def add(self, kind, fields):
        name = str(uuid.UUID(int=self.draw.getrandbits(128)))
        if kind == "Patient":
            name = self.patient
        self.entries.append({"fullUrl": f"urn:uuid:{name}", "resource": {"resourceType": kind, "id": name, **fields},
                             "request": {"method": "POST", "url": kind}})
        return name

    def coded(self, what):
        return {"coding": [{"system": "http://snomed.info/sct", "code": str(100000 + sum(map(ord, what)) * 37), "display": what}],
                "text": what}

    def person(self):
        draw = self.draw
        city, state, code = draw.choice(CITIES)
        self.born = draw.randrange(1935, 2005)
        self.add("Patient", {
            "identifier": [{"system": "http://hospital.example.org", "value": f"MRN{draw.randrange(10**6)}"}],
            "name": [{"use": "official", "family": draw.choice(FAMILIES), "given": [draw.choice(GIVEN)]}],
            "gender": draw.choice(["female", "male"]), "birthDate": f"{self.born}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
            "address": [{"line": [f"{draw.randrange(1, 99)} High Street"], "city": city, "state": state, "postalCode": code}]})

    def visit(self):
        draw = self.draw
        when = (f"{draw.randrange(max(2000, self.born), 2024)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
                f"T{draw.randrange(8, 18):02}:{draw.randrange(60):02}:00+00:00")
        subject = {"reference": f"urn:uuid:{self.patient}"}
        encounter = self.add("Encounter", {
            "status": "finished", "class": {"code": draw.choice(["AMB", "AMB", "EMER", "IMP"])},
            "type": [self.coded(draw.choice(VISITS))], "subject": subject, "period": {"start": when, "end": when}})
        at = {"subject": subject, "encounter": {"reference": f"urn:uuid:{encounter}"}}
        for _ in range(draw.randrange(3)):
            self.add("Condition", {"clinicalStatus": {"coding": [{"code": draw.choice(["active", "resolved"])}]},
                                   "code": self.coded(draw.choice(CONDITIONS)), **at, "onsetDateTime": when})
        for _ in range(draw.randrange(4)):
            self.add("Procedure", {"status": "completed", "code": self.coded(draw.choice(PROCEDURES)), **at,
                                   "performedPeriod": {"start": when, "end": when}})
        for _ in range(draw.randrange(3)):
            self.add("MedicationRequest", {"status": draw.choice(["active", "stopped"]), "intent": "order",
                                           "medicationCodeableConcept": self.coded(draw.choice(MEDICATIONS)), **at,
                                           "authoredOn": when})
        for what in draw.sample(OBSERVATIONS, draw.randrange(len(OBSERVATIONS))):
            self.add("Observation", {"status": "final", "code": self.coded(what), **at, "effectiveDateTime": when,
                                     "valueQuantity": {"value": draw.randrange(40, 200), "unit": "1"}})


def write(folder, count, kilobytes, seed):
    """So many bundles; the largest have twice the mean size, the smallest a tenth."""
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    for number in range(count):
        bundle = Bundle(draw)
        bundle.person()
        size = draw.uniform(0.1, 1.9) * kilobytes * 1000
        text = ""
        while len(text) < size:
            for _ in range(8):
                bundle.visit()
            text = json.dumps({"resourceType": "Bundle", "type": "transaction", "entry": bundle.entries}, indent=1)
        (folder / f"{number}.json").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?")
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--kilobytes", type=int, default=640)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thicket", default=ROOT / "build" / "thicket")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.directory or temporary)
        if not (folder / "bundles").exists():
            write(folder / "bundles", options.n, options.kilobytes, options.seed)
        subprocess.run([options.thicket, "init", folder / "bundles", "-o", folder / "policy.yaml", "--force"], check=True,
                       stdout=subprocess.DEVNULL)
        policy = (folder / "policy.yaml").read_text().splitlines()
        policy = [f"  k: {options.k}" if line.strip().startswith("k: ") else line for line in policy]
        (folder / "policy.yaml").write_text("\n".join(policy) + "\n")
        begin = time.monotonic()
        subprocess.run([options.thicket, "anonymize", folder / "policy.yaml", "-o", folder / f"published-{time.time_ns()}", "--seed", "1"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took = time.monotonic() - begin
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(file.stat().st_size for file in (folder / "bundles").iterdir()) / 1e6
        print("| bundles | MB | k | seconds | processor | memory |\n| ---: | ---: | ---: | ---: | ---: | ---: |")
        print(f"| {options.n} | {size:.0f} | {options.k} | {took:.1f} | {used.ru_utime:.1f} | {used.ru_maxrss // 1024} MB |")


if __name__ == "__main__":
    main()
