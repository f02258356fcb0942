/** The same colours as the console. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #fff; --card: #fafafa; --text: #18181b; --soft: #5b5b66; --line: #e4e4e7; --accent: #4f46e5; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --bg: #0f0f12; --card: #18181c; --text: #f4f4f5; --soft: #a1a1aa; --line: #2a2a30; --accent: #818cf8; --on-accent: #14141a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.5 Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; }
a:hover, main p:not(.title) a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { border-bottom: 1px solid var(--line); }
.wrap { width: min(100%, 880px); margin: 0 auto; padding: 0 20px; }
header .wrap { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding-block: 14px; }
header a { font-weight: 700; color: var(--text); }
form { display: flex; flex: 1; flex-wrap: wrap; gap: 8px; min-width: 240px; }
input, button { height: 40px; border: 1px solid var(--line); border-radius: 8px; font: inherit; }
input { flex: 1; min-width: 0; padding: 0 12px; background: var(--bg); color: inherit; text-overflow: ellipsis; }
button { padding: 0 16px; border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; white-space: nowrap; cursor: pointer; }
main.wrap { padding-block: 32px 64px; }
h1 { margin: 0 0 8px; font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 40px 0 12px; font-size: 18px; }
p { margin: 0 0 8px; }
.soft { color: var(--soft); }
.when { font-size: 18px; }
.offer { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; margin: 24px 0; padding: 16px 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.offer strong { font-size: 22px; }
.list { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.list li { display: grid; grid-template-columns: 116px 1fr auto; gap: 4px 20px; align-items: baseline; padding: 14px 0; border-bottom: 1px solid var(--line); }
.list p { margin: 0; }
.list .day { white-space: nowrap; }
.list .title { font-weight: 600; }
.list .price { text-align: right; white-space: nowrap; }
.pages { display: flex; justify-content: space-between; margin-top: 20px; }
@media (max-width: 560px) { .list li { grid-template-columns: 1fr auto; } .list .day { grid-column: 1 / -1; color: var(--soft); } }
`;
