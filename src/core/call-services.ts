import type { SealingEnvironment } from './sealed-secret.ts'

/**
 * Call services that a deployment must be connected to, by their names in the API. With `zoom` each user logs in there;
 * `zoom_server_to_server` makes meetings with the deployment's own account.
 */
export type CallService = 'zoom' | 'zoom_server_to_server' | 'big_blue_button' | 'nextcloud_talk'

/** Settings of the call services (docs/configuration.md#calls). */
export interface CallEnvironment extends SealingEnvironment {
  /** The account of a Server-to-Server OAuth app of Zoom. Without it, each user logs in to the app. */
  readonly ZOOM_ACCOUNT_ID?: string
  readonly ZOOM_CLIENT_ID?: string
  readonly ZOOM_CLIENT_SECRET?: string
  /** The secret with which Zoom signs its posts to this server. */
  readonly ZOOM_SECRET_TOKEN?: string
  /** `https://zoom.us` by default; Zoom for Government has another address. */
  readonly ZOOM_URL?: string
  readonly ZOOM_API_URL?: string
  /** The address below which BigBlueButton's `api/` is: `https://bbb.example.com/bigbluebutton/`. */
  readonly BIG_BLUE_BUTTON_URL?: string
  readonly BIG_BLUE_BUTTON_SECRET?: string
  readonly NEXTCLOUD_URL?: string
  /** The account that makes the rooms, and its app password. */
  readonly NEXTCLOUD_USER?: string
  readonly NEXTCLOUD_PASSWORD?: string
}
