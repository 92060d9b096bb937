/** The `ref` of what takes the focus when it appears: one function, so that it is called then alone. */
export function takeFocus(field: HTMLElement | null): void {
  field?.focus()
}
