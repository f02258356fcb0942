export const debianPostgres: string | undefined;
