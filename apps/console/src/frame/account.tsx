import { Menu, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Session } from '#accounts/operator.contract';
import { frame } from '../words/frame.js';
import { useSignOut } from './use-sign-out.js';

const THEMES = ['auto', 'light', 'dark'] as const;

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('');

/** Shows who is signed in, the theme, and how to sign out. */
export function Account({ session: { operator } }: Readonly<{ session: Session }>) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const leave = useSignOut();
  return (
    <div className="stack-tight">
      <Menu position="top-start" width={200} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <button type="button" className="account" aria-label={frame.account(operator.name)}>
            {/* Drawn by the style sheet: as text they would be a part of what is seen that the button's name lacks (WCAG 2.5.3). */}
            <span className="avatar" data-initials={initials(operator.name)} />
            <span className="label name">{operator.name}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{operator.email}</Menu.Label>
          <Menu.Item onClick={() => void navigate({ to: '/account' })}>{frame.yourAccount}</Menu.Item>
          <Menu.Divider />
          <Menu.Label>{frame.theme}</Menu.Label>
          {THEMES.map((theme) => (
            <Menu.Item
              key={theme}
              role="menuitemradio"
              aria-checked={colorScheme === theme}
              rightSection={colorScheme === theme ? '✓' : ''}
              onClick={() => setColorScheme(theme)}
            >
              {frame.themes[theme]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <button type="button" className="account" onClick={leave} title={frame.signOut}>
        <SignOutIcon />
        <span className="label">{frame.signOut}</span>
      </button>
    </div>
  );
}

function SignOutIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      aria-hidden="true"
    >
      <path d="M14 4h5v16h-5M4 12h10M10 8l4 4-4 4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
