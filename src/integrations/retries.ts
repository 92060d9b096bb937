/**
 * Seconds for which the same group of alerts is one that is sent again, since the answer was lost: Alertmanager, which Grafana has inside, tries
 * again after half a second, and then after up to a minute. On purpose it repeats a group after its `repeat_interval`, of hours mostly and a
 * minute at least, and that is to be seen.
 */
export const ALERT_RETRIES = 50
