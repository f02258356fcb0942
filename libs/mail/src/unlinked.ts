/**
 * A text of others (a seller, an importer, a buyer) on one line, so that no mail program makes a link of it: these link whatever looks like
 * an address, in plain text too. A blank within each address keeps it readable.
 */
export function unlinked(text: string): string {
  return (
    text
      .replaceAll(HIDDEN, '')
      // The scheme of an address: "https://", "mailto:". Not the colon of a time.
      .replaceAll(/(?<=\p{L}):(?=[^\s\d])/gu, ': ')
      .replaceAll(/\/\/+/g, '/ /')
      .replaceAll(/(?<=\S)[@＠](?=\S)/gu, ' @')
      // The end of a host's name begins with a letter. Not the dot of an amount or a time.
      .replaceAll(/(?<=\S)[.．。｡](?=\p{L})/gu, '. ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

/** Signs that turn the direction of a text or part words invisibly. Scripts and emoji need the joiners, but not beside a dot. */
const HIDDEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<=[.．。｡:/@])[\u200c\u200d]+|[\u200c\u200d]+(?=[.．。｡:/@])/gu;
