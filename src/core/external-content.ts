/** The environment's setting for pictures of other servers. */
export interface ExternalContentEnvironment {
  /**
   * `proxy` (the default): pictures come through this server. `direct`: readers load them from where they
   * are.
   */
  readonly EXTERNAL_CONTENT?: string
}

/**
 * Whether pictures come through this server. Any value but `direct` counts as `proxy`, so that a misspelt
 * setting gives nobody's address away.
 */
export function proxiesPictures({ EXTERNAL_CONTENT }: ExternalContentEnvironment): boolean {
  return EXTERNAL_CONTENT !== 'direct'
}
