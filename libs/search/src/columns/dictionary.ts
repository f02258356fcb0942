/** Dictionary encoding: a small number for each text that occurs many times. */
export class Dictionary {
  private readonly numbers = new Map<string, number>();
  /** By number. */
  readonly texts: string[] = [];

  encode(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  find(text: string): number | undefined {
    return this.numbers.get(text);
  }
}
