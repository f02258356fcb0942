/** How the tickets reach the buyer. */
export const deliveryMethods: Readonly<Record<string, string>> = {
  download: 'Download',
  ship: 'Ship',
  transfer: 'Transfer',
  will_call: 'Will call',
};
