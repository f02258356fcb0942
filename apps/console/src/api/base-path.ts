/** `/shop` if the server's addresses begin with it; empty otherwise. The server writes it into the page. */
export const BASE_PATH = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';
