import type { ReactNode } from 'react';

/** Line icons on a grid of 24, in the colour of the text. They stand beside words and say nothing by themselves. */
const icon = (paths: ReactNode) =>
  function Icon() {
    return (
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
        <g strokeLinecap="round" strokeLinejoin="round">
          {paths}
        </g>
      </svg>
    );
  };

export const OrdersIcon = icon(<path d="M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6" />);
export const DeliveryIcon = icon(<path d="M4 12h4l3-7 3 14 3-7h3" />);
export const ListingsIcon = icon(<path d="M4 8a2 2 0 0 0 0 4v4h16v-4a2 2 0 0 1 0-4V4H4zM14 5v2M14 10v2M14 14v1" />);
export const QueuesIcon = icon(<path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2" />);
export const JobsIcon = icon(<path d="M4 6h16M4 12h10M4 18h6M16 17l2.5 2.5L22 15" />);
export const ReportsIcon = icon(<path d="M4 20h16M7 16v-4M12 16V6M17 16v-7" />);
export const EventsIcon = icon(<path d="M5 6h14v14H5zM5 10h14M9 3v4M15 3v4M9 14h2M13 14h2" />);
export const PeopleIcon = icon(
  <path d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .7 3 2.5 3 5" />,
);
export const TokensIcon = icon(<path d="M15 9a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM10 13l-6 6v2h3l1-2h2v-2l2-2" />);
export const ClientsIcon = icon(<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />);
export const KeysIcon = icon(<path d="M8 4H4v4M16 4h4v4M8 20H4v-4M16 20h4v-4M9 12h6M12 9v6" />);
export const WebhooksIcon = icon(<path d="M4 12h10M10 7l5 5-5 5M19 4v16" />);
export const StatusesIcon = icon(<path d="M6 6h.01M10 6h10M6 12h.01M10 12h10M6 18h.01M10 18h10" />);
export const PoliciesIcon = icon(<path d="M5 12l4 4L19 6M5 20h14" />);
export const FraudRulesIcon = icon(<path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM12 8v5M12 16h.01" />);
export const ProjectionsIcon = icon(<path d="M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4" />);
export const AuditIcon = icon(<path d="M6 3h9l4 4v14H6zM14 3v5h5M9 13h6M9 17h6" />);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CopyIcon = icon(<path d="M9 9h11v11H9zM5 15H4V4h11v1" />);
export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const UpIcon = icon(<path d="M7 14l5-5 5 5" />);
export const DownIcon = icon(<path d="M7 10l5 5 5-5" />);
export const MoreIcon = icon(<path d="M6 12h.01M12 12h.01M18 12h.01" />);
export const SearchIcon = icon(<path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4" />);
