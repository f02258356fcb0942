import { Button } from '@mantine/core';
import { CancelButton } from './dialog.js';

type Props = Readonly<{
  cancel: string;
  submit: string;
  isPending: boolean;
  /** The form says why. */
  disabled?: boolean;
  /** It cannot be undone. */
  isFinal?: boolean;
}>;

/** The last row of a form in a dialog. */
export function FormButtons({ cancel, submit, isPending, disabled = false, isFinal = false }: Props) {
  return (
    <div className="row end">
      <CancelButton>{cancel}</CancelButton>
      <Button
        type="submit"
        data-action="apply"
        {...(isFinal && { color: 'red' })}
        loading={isPending}
        disabled={disabled}
      >
        {submit}
      </Button>
    </div>
  );
}
