/** `params`: the `:name` segments of the path. */
export type PageRequest = Request & { readonly params: Record<string, string> }
