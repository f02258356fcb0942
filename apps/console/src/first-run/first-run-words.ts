export const firstRunWords = {
  sample: {
    name: 'Sample data',
    bar: 'This is sample data: invented shows, listings and orders.',
    remove: 'Remove sample data',
    title: 'Remove sample data?',
    apply: 'Remove it',
    keep: 'Keep it',
    goes: 'The invented shows, performers, venues and listings are deleted. The invented orders are in no list, report, queue or count any more, and their waiting pings end.',
    stays:
      'What you made stays, and so does a sample show or listing at which you have bought; the listing is withdrawn. The event log, the ledger, the audit log and past figures of deliveries keep what happened, because nothing is ever deleted there. The ledger gets counter-entries, so no balance has invented money.',
    final: 'It cannot be undone, and the sample does not come back with the next start. It may take some seconds.',
    removed: (orders: string, listings: string, events: string) =>
      `Removed: ${orders} sample orders, ${listings} listings, ${events} shows.`,
    close: 'Close',
  },
  steps: {
    title: 'Get started',
    done: (done: number, all: number) => `${done} of ${all} done`,
    dismiss: 'Hide',
    ticked: 'Done',
    open: 'To do',
    names: {
      listing: 'Put a listing of your own on sale',
      purchase: 'Buy a test ticket',
      colleague: 'Invite a colleague',
      platform: 'Connect a platform',
      webhook: 'Add a webhook',
    },
    noSandbox: 'The built-in platform is off (SANDBOX, PLATFORM_URL). Buy by your platform.',
    hints: {
      listing: 'Add one by hand, or import a file.',
      purchase: 'The built-in platform buys it, and no money moves.',
      colleague: 'Give them a role that fits.',
      platform: 'Its client id and secret sign each purchase.',
      webhook: 'It tells your own systems what happens.',
    },
  },
} as const;
