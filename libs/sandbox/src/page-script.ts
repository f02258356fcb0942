/**
 * Updates the page and keeps open and focused elements. It is inline; the page's policy names its hash. Without scripts, a meta
 * element reloads the page.
 */
export const SCRIPT = `
const EVERY_MS = 2000;
const find = (selector) => document.querySelector(selector);
const inLocalTime = () => {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    time.textContent = at.toLocaleTimeString([], { hour12: false });
    time.title = at.toLocaleString() + ' (' + time.dateTime + ')';
  }
};
const say = (text, isAway) => {
  const live = find('#live');
  live.classList.toggle('away', isAway);
  if (live.textContent !== text) live.textContent = text;
};
let shown = find('main').innerHTML;
const show = (fresh) => {
  if (fresh.innerHTML === shown) return;
  shown = fresh.innerHTML;
  const open = [...document.querySelectorAll('details[open]')].map(({ id }) => id);
  const focused = document.activeElement.id;
  const scrolled = find('.pings')?.scrollLeft ?? 0;
  find('main').replaceWith(fresh);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  find('.pings')?.scrollTo({ left: scrolled });
  inLocalTime();
};
const refresh = async () => {
  try {
    if (!document.hidden) {
      const answer = await fetch(location.href, { cache: 'no-store' });
      if (!answer.ok) throw new Error();
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
      show(document.adoptNode(fresh));
      say('Live: ' + fresh.dataset.received, false);
    }
  } catch {
    say('Not reachable, trying again', true);
  }
  setTimeout(refresh, EVERY_MS);
};
inLocalTime();
if (find('#live')) void refresh();
`;
