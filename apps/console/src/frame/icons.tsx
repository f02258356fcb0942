/** Line icons on a grid of 24, in the colour of the text. They stand beside words and say nothing by themselves. */
export function Icon({ lines }: Readonly<{ lines: string }>) {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
      <path d={lines} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

const icon = (lines: string) => () => <Icon lines={lines} />;

export const MenuIcon = icon('M4 7h16M4 12h16M4 17h16');
export const CopyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1');
export const CloseIcon = icon('M6 6l12 12M18 6L6 18');
export const UpIcon = icon('M7 14l5-5 5 5');
export const DownIcon = icon('M7 10l5 5 5-5');
export const MoreIcon = icon('M6 12h.01M12 12h.01M18 12h.01');
export const SearchIcon = icon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4');
