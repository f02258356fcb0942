// What a picture of a page shows apart from its data: the words around the data, where the parts stand, and how they look. The pictures in
// docs/ are kept with it, so that a test sees when they are no longer true.

const WORDS = {
  navigation: '.side .nav-link .label',
  headings: 'main h2',
  columns: 'main thead th',
  actions: '.order-head button',
};
// Without text of its own width, which differs by a pixel between builds of Chromium.
const PLACES = ['.side', 'main', '.card', 'main table'];
const LOOKS = [
  'body',
  '.side .nav-link',
  '.side .nav-link[aria-current]',
  'main h1',
  'main h2',
  'main button',
  'main input',
  // The first status has the colour of its kind, and the data tells which that is.
  'main .status.confirmed',
  'main thead th',
  'main tbody td',
  '.card',
  '.card dt',
  '.timeline .entry',
];
const PROPERTIES = [
  'color',
  'background-color',
  'border-top-color',
  'border-radius',
  'font-family',
  'font-size',
  'font-weight',
  'padding',
];

/** `page` is a page of Playwright, 1280 pixels wide, in light. */
export function fingerprintOf(page) {
  return page.evaluate(read, { words: WORDS, places: PLACES, looks: LOOKS, properties: PROPERTIES });
}

/** Runs in the page. */
function read({ words, places, looks, properties }) {
  const text = (element) => element.innerText.replaceAll(/\s+/g, ' ').trim();
  const found = (selectors) =>
    selectors.flatMap((selector) => {
      const element = document.querySelector(selector);
      return element ? [[selector, element]] : [];
    });
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    return properties.map((name) => style.getPropertyValue(name)).join(' | ');
  };
  const placeOf = (element) => {
    const { left, width } = element.getBoundingClientRect();
    return { left: Math.round(left), width: Math.round(width) };
  };
  return {
    words: Object.fromEntries(
      Object.entries(words).map(([name, selector]) => [
        name,
        // A count beside a name is data.
        [...new Set([...document.querySelectorAll(selector)].map(text).filter((one) => /\D/.test(one)))],
      ]),
    ),
    places: Object.fromEntries(found(places).map(([selector, element]) => [selector, placeOf(element)])),
    looks: Object.fromEntries(found(looks).map(([selector, element]) => [selector, lookOf(element)])),
  };
}
