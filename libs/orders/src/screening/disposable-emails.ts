/** The domains of throw-away addresses that the package `mailchecker` lists. It is loaded by the first rule that asks. */
export async function disposableDomains(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import('mailchecker');
  return mailchecker.blacklist();
}

/** A subdomain of a listed domain is listed too. */
export function isDisposable(email: string, listed: ReadonlySet<string>): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .split('.');
  return labels.some((_, index) => listed.has(labels.slice(index).join('.')));
}
