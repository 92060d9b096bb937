/** The reason of a refusal; nothing without one. */
export function Refusal({ children }: { readonly children: string }) {
  if (!children) return null
  return (
    <p class="refusal row-refusal" role="alert" dir="auto">
      {children}
    </p>
  )
}
