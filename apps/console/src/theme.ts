import { Button, createTheme, Input, Modal, PasswordInput } from '@mantine/core';

/** Only what components need in JavaScript. Colours and sizes are CSS variables (styles/tokens.css). */
export const theme = createTheme({
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    // Screen readers say at once what is wrong with a field.
    InputError: Input.Error.extend({ defaultProps: { role: 'alert' } }),
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show what was typed' } },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        // Scroll locking writes a style element, which the Content-Security-Policy forbids.
        lockScroll: false,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
      },
    }),
  },
});
