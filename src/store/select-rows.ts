/** Returns the columns of a table under the names of properties: `id, user_id AS userId`. `columns` are separated by spaces. */
export function columnsAs(columns: string): string {
  const named = columns.split(' ').map((column) => {
    const name = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    return name === column ? column : `${column} AS ${name}`
  })
  return named.join(', ')
}
