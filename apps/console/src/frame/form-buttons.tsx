import { Button } from '@mantine/core';

type Props = Readonly<{
  cancel: string;
  submit: string;
  isPending: boolean;
  /** The form says why. */
  disabled?: boolean;
  onCancel: () => void;
}>;

/** The last row of a form in a dialog. */
export function FormButtons({ cancel, submit, isPending, disabled = false, onCancel }: Props) {
  return (
    <div className="row end">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      <Button type="submit" loading={isPending} disabled={disabled}>
        {submit}
      </Button>
    </div>
  );
}
