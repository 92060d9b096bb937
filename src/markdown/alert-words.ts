/** A node of the tree of all alert words: the next characters, and the users whose word ends here. */
interface WordNode {
  next: Map<string, WordNode>
  userIds: number[]
}

type AlertWords = readonly { userId: number; words: readonly string[] }[]

/** Trees by the very list they were built from: one list serves many messages. */
const trees = new WeakMap<AlertWords, WordNode>()

function treeOf(alertWords: AlertWords): WordNode {
  const known = trees.get(alertWords)
  if (known !== undefined) return known
  const root: WordNode = { next: new Map(), userIds: [] }
  for (const { userId, words } of alertWords) {
    for (const word of words) addWord(root, word.trim().toLowerCase(), userId)
  }
  trees.set(alertWords, root)
  return root
}

function addWord(root: WordNode, word: string, userId: number): void {
  if (word === '') return
  let node = root
  for (const char of word) {
    let next = node.next.get(char)
    if (next === undefined) {
      next = { next: new Map(), userIds: [] }
      node.next.set(char, next)
    }
    node = next
  }
  node.userIds.push(userId)
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char)
}

/**
 * Users one of whose alert words stands in the text as a whole word, in any case; ascending.
 * Walks the tree once from each place a word may begin at, so the work is bounded by the text's length times
 * that of the longest word, however many words there are.
 */
export function findAlertedUsers(text: string, alertWords: AlertWords): number[] {
  if (alertWords.length === 0) return []
  const root = treeOf(alertWords)
  if (root.next.size === 0) return []
  const chars = [...text.toLowerCase()]
  const found = new Set<number>()
  for (let start = 0; start < chars.length; start++) {
    if (isWordChar(chars[start - 1]) && isWordChar(chars[start])) continue
    let node: WordNode | undefined = root
    for (let end = start; node !== undefined && end < chars.length; end++) {
      node = node.next.get(chars[end]!)
      if (node === undefined || node.userIds.length === 0) continue
      if (isWordChar(chars[end]) && isWordChar(chars[end + 1])) continue
      for (const userId of node.userIds) found.add(userId)
    }
  }
  return [...found].sort((a, b) => a - b)
}
