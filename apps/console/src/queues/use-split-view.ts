import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { mayLeave } from '../frame/unsaved.js';

/** As wide as a list and an order side by side. */
const WIDE = '(width >= 1200px)';

/** Whether the active order stands beside the list. The address says so, and a narrow window does not do it. */
export function useSplitView() {
  const search = useSearch({ strict: false });
  const { split } = search;
  const navigate = useNavigate();
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const toggle = async () => {
    if (!(await mayLeave())) return;
    await navigate({ to: '.', search: (before) => ({ ...before, split: split === undefined ? '1' : undefined }) });
  };
  return {
    isWide,
    isSplit: isWide && split !== undefined,
    /** What the address of another list needs, too. */
    kept: split === undefined ? {} : { split },
    toggle: () => void toggle(),
  };
}
