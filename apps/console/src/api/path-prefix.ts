/** `/shop` if the server's addresses begin with it; empty otherwise. The server writes it into the page. */
export const PATH_PREFIX = document.querySelector<HTMLMetaElement>('meta[name="path-prefix"]')?.content ?? '';
