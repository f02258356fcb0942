import { Button, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReportSchedule } from '#desk/report-subscription.contract';
import { reportSubscriptionsQuery, subscribeToReport, unsubscribeFromReport } from '../api/report-subscriptions.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { reportWords } from './report-words.js';

const words = reportWords.mail;
const SCHEDULES: readonly ReportSchedule[] = ['daily', 'weekly'];

type Change = Readonly<{ schedule: ReportSchedule; isOn: boolean }>;

/** Which reports the person gets by e-mail. */
export function MailMenu() {
  const client = useQueryClient();
  const { data, error } = useQuery(reportSubscriptionsQuery);
  const change = useMutationOnce({
    mutationFn: async ({ schedule, isOn }: Change): Promise<void> => {
      await (isOn ? subscribeToReport(schedule) : unsubscribeFromReport(schedule));
    },
    // Also after a failure: another tab may have changed it.
    onSettled: () => client.invalidateQueries({ queryKey: reportSubscriptionsQuery.queryKey }),
  });
  const chosen = SCHEDULES.filter((schedule) => data?.some((one) => one.schedule === schedule));
  const failed = error ?? change.error;
  return (
    <>
      {failed && <Failure error={failed} />}
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" size="compact-sm">
            {words.button(chosen.map((schedule) => words.short[schedule]))} ▾
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.hint}</Menu.Label>
          {SCHEDULES.map((schedule) => (
            <Menu.CheckboxItem
              key={schedule}
              checked={chosen.includes(schedule)}
              disabled={data === undefined || change.isPending}
              onChange={(isOn) => change.mutate({ schedule, isOn })}
            >
              {words.schedule[schedule]}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
