// A reader's marks, stored in the browser per dataset version and exported as JSON Lines.

export class Marks {
  constructor(key) {
    this.place = `gistmill-marks-${key}`;
    this.found = new Map(Object.entries(JSON.parse(localStorage.getItem(this.place) ?? "{}")));
  }

  of(table, id) {
    return this.found.get(`${table}/${id}`);
  }

  get size() {
    return this.found.size;
  }

  // Changes a mark or note; entries with neither are removed.
  change(about, changes) {
    const name = `${about.config}/${about.id}`;
    const entry = { ...about, mark: "", note: "", ...this.found.get(name), ...changes };
    if (entry.mark || entry.note) this.found.set(name, entry);
    else this.found.delete(name);
    localStorage.setItem(this.place, JSON.stringify(Object.fromEntries(this.found)));
  }

  lines() {
    return [...this.found.values()].map((entry) => `${JSON.stringify(entry)}\n`).join("");
  }

  export(name) {
    const address = URL.createObjectURL(new Blob([this.lines()], { type: "application/jsonl" }));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    URL.revokeObjectURL(address);
  }
}
