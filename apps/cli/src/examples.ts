import type { Command } from 'commander';

/** Examples of each command by its path, as they are typed after `willcall`. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ['start'],
  migrate: ['migrate'],
  info: ['info'],
  doctor: ['doctor', 'doctor --json'],
  backup: ['backup willcall.tar.gz'],
  restore: ['restore willcall.tar.gz'],
  'operators add': [
    'operators add ada@example.com --name "Ada Lovelace" --role support --role auditor',
    'operators add bo@example.com --name Bo --role broker --seller "Front Row"',
  ],
  'operators list': ['operators list'],
  'operators reset': ['operators reset ada@example.com --yes'],
  'operators disable': ['operators disable ada@example.com --yes'],
  'clients add': ['clients add "Acme Tickets" --id acme', 'clients add Wholesaler --variant wholesale --json'],
  'clients list': ['clients list'],
  'clients change': ['clients change acme --require-ref-id', 'clients change acme --name "Acme Tickets"'],
  'clients rotate': ['clients rotate acme'],
  'clients revoke': ['clients revoke acme', 'clients revoke acme --secret sec_0190a1b2c3d47000800000000000aaaa'],
  'clients keys add': ['clients keys add "City guide" --rate 20'],
  'clients keys change': ['clients keys change city-guide --per-page 5000'],
  'clients keys list': ['clients keys list'],
  'clients keys rotate': ['clients keys rotate city-guide', 'clients keys rotate city-guide --overlap 2'],
  'clients keys revoke': ['clients keys revoke city-guide --yes'],
  'stream-tokens add': ['stream-tokens add warehouse'],
  'stream-tokens list': ['stream-tokens list'],
  'stream-tokens revoke': ['stream-tokens revoke stk_0190a1b2c3d47000800000000000aaaa --yes'],
  'webhooks add': [
    'webhooks add https://shop.example/willcall --statuses confirmed,rejected',
    'webhooks add https://shop.example/willcall --from 0',
    'webhooks add tls://willcall:secret@nats.example:4222/willcall',
  ],
  'webhooks list': ['webhooks list'],
  'webhooks pause': ['webhooks pause whk_0190a1b2c3d47000800000000000aaaa'],
  'webhooks resume': ['webhooks resume whk_0190a1b2c3d47000800000000000aaaa'],
  'webhooks rotate': ['webhooks rotate whk_0190a1b2c3d47000800000000000aaaa --overlap-hours 48'],
  'webhooks test': ['webhooks test whk_0190a1b2c3d47000800000000000aaaa'],
  'webhooks remove': ['webhooks remove whk_0190a1b2c3d47000800000000000aaaa --yes'],
  listen: [
    'listen --forward-to http://127.0.0.1:8080/hooks',
    'listen --forward-to http://127.0.0.1:8080/hooks --after 0',
  ],
  trigger: ['trigger order.confirmed', 'trigger order.rejected --listing demo-manual-1 --event 1003'],
  'orders list': ['orders list --status pending --from 2026-11-01', 'orders list --q ada@example.com --json'],
  'orders show': ['orders show ord_0190a1b2c3d47000800000000000aaaa'],
  'orders status': [
    'orders status ord_0190a1b2c3d47000800000000000aaaa 2000 --note "The broker has them"',
    'orders status ord_0190a1b2c3d47000800000000000aaaa 3004 --version-expected 2',
  ],
  'orders fulfil': [
    'orders fulfil ord_0190a1b2c3d47000800000000000aaaa --carrier UPS --tracking-number 1Z999AA10123456784',
    'orders fulfil ord_0190a1b2c3d47000800000000000aaaa --url https://tickets.example/1',
  ],
  'listings list': ['listings list --event 1001 --state on_sale'],
  'listings import': ['listings import docs/listings.csv', 'listings import listings.txt --format jsonl --dry-run'],
  'catalogue import': ['catalogue import ./catalogue'],
  'platform lookup': ['platform lookup demo-payment-1 --quantity 2'],
  'platform buy': [
    'platform buy demo-payment-1 --event 1001 --quantity 2',
    'platform buy demo-payment-1 --event 1001 --quantity 2 --card 4000000000000002',
  ],
  'platform get': ['platform get ord_0190a1b2c3d47000800000000000aaaa --watch'],
  'delivery health': ['delivery health', 'delivery health --check --max-wait 600'],
  'delivery drift': ['delivery drift --older-than 600', 'delivery drift --check', 'delivery drift --send --dry-run'],
  'replay start': [
    'replay start --status confirmed --since 2026-11-21 --dry-run',
    'replay start --order ord_0190a1b2c3d47000800000000000aaaa --follow',
  ],
  'replay list': ['replay list'],
  'replay show': ['replay show rpl_0190a1b2c3d47000800000000000aaaa --follow'],
  'replay pause': ['replay pause rpl_0190a1b2c3d47000800000000000aaaa'],
  'replay resume': ['replay resume rpl_0190a1b2c3d47000800000000000aaaa'],
  'replay cancel': ['replay cancel rpl_0190a1b2c3d47000800000000000aaaa'],
  'projections rebuild': ['projections rebuild orders', 'projections rebuild all'],
  maintenance: ['maintenance', 'maintenance --once'],
  archive: ['archive --before 2025-01'],
  reconcile: ['reconcile', 'reconcile --platform orders.csv --provider charges.ndjson --webhooks received.ndjson'],
  'reconcile payments': [
    'reconcile payments --provider stripe --from 2026-11-01 --to 2026-12-01',
    'reconcile payments --client acme --file remittance.csv --json',
  ],
  'epoch show': ['epoch show'],
  'epoch renew': ['epoch renew'],
  'encryption-key rotate': ['encryption-key rotate'],
  verify: ['verify', 'verify --anchor /mnt/kept/ledger-anchors-2026-11.jsonl', 'verify --json'],
};

/** The examples of a command; of a group of commands its own, and the first one of each. */
export function examplesOf(command: Command): readonly string[] {
  const own = EXAMPLES[pathOf(command)] ?? [];
  return [...own, ...command.commands.flatMap((each) => examplesOf(each).slice(0, 1))];
}

/** Shows the examples of each command below its help. */
export function addExamples(command: Command): void {
  const lines = examplesOf(command).map((example) => `  $ willcall ${example}`);
  if (command.parent && lines.length > 0) command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  command.commands.forEach(addExamples);
}

/** The words that lead to a command, without the name of the program. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}
