/**
 * Days between closing an organization and deleting its data, at least
 * (`server_min_deactivated_realm_deletion_days`).
 */
export const MIN_DELETION_DAYS = 14

/**
 * Days, at most: a century. The API's own limit (`server_max_…`) is none, since closed organizations may be
 * kept for ever.
 */
export const MAX_DELETION_DAYS = 36_525
