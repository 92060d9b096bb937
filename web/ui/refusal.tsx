/** The reason for which something was refused; nothing where there is none. */
export function Refusal({ children }: { readonly children: string }) {
  if (!children) return null
  return (
    <p class="refusal row-refusal" role="alert">
      {children}
    </p>
  )
}
