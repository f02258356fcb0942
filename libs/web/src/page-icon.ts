/** The icon of our pages as a data URL. It is safe in an attribute. */
export const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%232a4fd0%22/%3E%3Cpath d=%22M6 10l5 13 5-11 5 11 5-13%22 fill=%22none%22 stroke=%22white%22 stroke-width=%223%22/%3E%3C/svg%3E';
