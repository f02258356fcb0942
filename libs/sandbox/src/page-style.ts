/** The style of the sandbox page, light and dark. It is inline; the page's policy names its hash. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #fff; --line: #dfe3e8; --text: #17202a; --soft: #556270; --accent: #2a4fd0; --hover: #f8f9fb;
  --pending: #7a5200; --pending-bg: #fff1cf; --confirmed: #0f6135; --confirmed-bg: #dcf5e5;
  --rejected: #a01c1c; --rejected-bg: #fde4e3; --exception: #7a2c8f; --exception-bg: #f6e5fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151b; --card: #191f28; --line: #2c3541; --text: #e7ecf2; --soft: #9dabbb; --accent: #90adff; --hover: #1e2530;
    --pending: #ffd479; --pending-bg: #3c2f10; --confirmed: #7fe0a8; --confirmed-bg: #113622;
    --rejected: #ff9d98; --rejected-bg: #451c1b; --exception: #e2a5f2; --exception-bg: #3a1f43;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
a { color: var(--accent); }
code, .id { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.id { overflow-wrap: anywhere; }
.wrap { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
header { background: var(--card); border-bottom: 1px solid var(--line); }
header .wrap { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 24px; padding-block: 16px; }
h1 { display: flex; align-items: center; gap: 12px; margin: 0; font-size: 18px; font-weight: 650; }
h1 small { color: var(--soft); font-size: 15px; font-weight: 400; }
.live { display: flex; align-items: center; gap: 8px; margin: 0; color: var(--soft); font-size: 13px; }
.live::before { width: 8px; height: 8px; border-radius: 50%; background: var(--confirmed); content: ""; }
.live.away::before { background: var(--rejected); }
header nav { display: flex; gap: 20px; margin-left: auto; }
main.wrap { padding-block: 28px 56px; }
.notice { display: flex; gap: 12px; margin: 0 0 24px; padding: 14px 18px; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; background: var(--card); }
.notice p { margin: 0; }
.notice p + p { margin-top: 4px; color: var(--soft); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 0 0 24px; }
.counts div { padding: 12px 18px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.counts dt { color: var(--soft); font-size: 13px; }
.counts dd { margin: 0; font-size: 26px; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.3; }
h2 { margin: 0; font-size: 16px; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; margin-bottom: 10px; }
.heading p { margin: 0 0 0 auto; color: var(--soft); font-size: 13px; }
.pings { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { width: 100%; min-width: 820px; border-collapse: collapse; }
th { padding: 10px 16px; color: var(--soft); font-size: 13px; font-weight: 500; text-align: left; white-space: nowrap; }
td { padding: 14px 16px; border-top: 1px solid var(--line); vertical-align: top; }
tbody tr:hover { background: var(--hover); }
.when { white-space: nowrap; font-variant-numeric: tabular-nums; }
.soft, td dt { color: var(--soft); font-size: 13px; }
.when .soft { display: block; }
td dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 12px; margin: 2px 0 0; }
td dt, td dd { margin: 0; line-height: 1.6; }
td p { margin: 0; }
td p + p, td p + details { margin-top: 4px; }
.pill { display: inline-block; margin-right: 8px; padding: 1px 10px; border-radius: 99px; background: var(--line); font-size: 13px; font-weight: 600; white-space: nowrap; }
.status { min-width: 86px; text-align: center; }
.pending { background: var(--pending-bg); color: var(--pending); }
.confirmed, .valid { background: var(--confirmed-bg); color: var(--confirmed); }
.rejected, .invalid { background: var(--rejected-bg); color: var(--rejected); }
.exception { background: var(--exception-bg); color: var(--exception); }
.error { color: var(--rejected); }
summary { width: max-content; color: var(--accent); font-size: 13px; cursor: pointer; }
details ol { margin: 6px 0 0; padding: 0 0 0 14px; border-left: 2px solid var(--line); list-style: none; }
details li { padding: 3px 0; }
details time { margin-right: 10px; color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
.empty { padding: 44px 24px; text-align: center; }
.empty ol { display: inline-block; max-width: 100%; margin: 12px 0 0; padding-left: 24px; text-align: left; }
.empty li { margin: 10px 0; }
pre { overflow-x: auto; margin: 6px 0 0; padding: 10px 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
.pages { display: flex; gap: 20px; margin: 16px 0 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 600px) { .wrap { padding: 0 14px; } header nav { margin-left: 0; } }
`;
