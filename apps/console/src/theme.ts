import { createTheme, type ModalProps, type PasswordInputProps } from '@mantine/core';

// Typed by hand: `Modal.extend` would bring the component itself to the first screen, which has no dialog.
const passwordInput: Partial<PasswordInputProps> = {
  visibilityToggleButtonProps: { 'aria-label': 'Show what was typed' },
};
const modal: Partial<ModalProps> = {
  centered: true,
  // Scroll locking writes a style element, which the Content-Security-Policy forbids.
  lockScroll: false,
  closeButtonProps: { 'aria-label': 'Close' },
  transitionProps: { duration: 120 },
};

/** Only what components need in JavaScript. Colours and sizes are CSS variables (styles/tokens.css). */
export const theme = createTheme({
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    // Screen readers say at once what is wrong with a field.
    InputError: { defaultProps: { role: 'alert' } },
    PasswordInput: { defaultProps: passwordInput },
    Modal: { defaultProps: modal },
  },
});
