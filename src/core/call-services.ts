/**
 * Services that make calls, and that a deployment has to be connected with. `zoom` is Zoom's Server-to-Server OAuth: the deployment's own
 * account, and no log-in of each person.
 */
export type CallService = 'zoom' | 'big_blue_button' | 'nextcloud_talk'

/** A call to be made. `title`: what the service shows as its name. */
export type WantedCall =
  | { readonly service: 'zoom'; readonly email: string; readonly isVideo: boolean }
  | {
      readonly service: 'big_blue_button'
      readonly title: string
      readonly isVideo: boolean
      readonly maker: number
    }
  | { readonly service: 'nextcloud_talk'; readonly title: string }
