/** Dictionary encoding: gives each distinct text a small number. */
export class Dictionary {
  private readonly codes = new Map<string, number>();
  readonly texts: string[] = [];

  encode(text: string): number {
    const existing = this.codes.get(text);
    if (existing !== undefined) return existing;
    this.codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  find(text: string): number | undefined {
    return this.codes.get(text);
  }
}
