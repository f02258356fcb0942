/** What a page is for, in sentences, and the page of the documentation that says more. By the path of its route. */
export type HelpByPath = Readonly<Record<string, Readonly<{ sentences: readonly string[]; docs: string }>>>;
