/** Between closing an organization and deleting its data, in days (`server_min_deactivated_realm_deletion_days`). */
export const FEWEST_DELETION_DAYS = 14

/** A century. The API's own most (`server_max_…`) is none: closed organizations may be kept for ever. */
export const MOST_DELETION_DAYS = 36_525
