export const DASHBOARD_FILE: string;
export function grafanaDashboard(): string;
