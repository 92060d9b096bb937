/** The setting of the environment for pictures of other servers. */
export interface ExternalContentEnvironment {
  /** `proxy`, unless set: they come through this server. `direct`: readers load them from where they lie. */
  readonly EXTERNAL_CONTENT?: string
}

/** Any other value counts as `proxy`, so that a misspelt setting gives nobody's address away. */
export function proxiesPictures({ EXTERNAL_CONTENT }: ExternalContentEnvironment): boolean {
  return EXTERNAL_CONTENT !== 'direct'
}
