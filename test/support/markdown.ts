/** The commands of a page: what stands in its fenced blocks marked `sh`, in their order. */
export function shellBlocks(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** The targets of a page's links and pictures. */
export function linksOf(page: string): string[] {
  return [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The names by which a page's headings can be linked to, as GitHub makes them. */
export function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The examples of a page: the blocks marked `ts`, each by the heading above it. */
export function examplesOf(page: string): Map<string, string> {
  const sections = page.split(/^## /m).slice(1);
  const examples = sections.map((section): [string, string | undefined] => [
    section.split('\n', 1)[0] ?? '',
    /^```ts\n([\s\S]*?)^```$/m.exec(section)?.[1],
  ]);
  return new Map(examples.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
