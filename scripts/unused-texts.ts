/**
 * Finds messages that no code shows, by what the compiler knows of each name. A group counts as shown as a whole if a value chooses from it
 * (`reasons[kind]`), or if it goes to code that does not know its keys.
 */
import { join } from 'node:path'
import { type Expression, type Node, SyntaxKind } from 'typescript/unstable/ast'
import {
  isElementAccessExpression,
  isIdentifier,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isPropertySignatureDeclaration,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { API, type Symbol as Meaning, type Project, type Type } from 'typescript/unstable/sync'
import { PROJECT, WEB } from './project.ts'

const TYPES = /\/texts\/compiled\/([\w-]+)\.ts$/
const CODE = /\/(?:src|web)\//
/** Where all of a group is taken. */
const SPREAD = [SyntaxKind.SpreadAssignment, SyntaxKind.SpreadElement, SyntaxKind.ForOfStatement]
/** Where an expression stands that is given away. */
const GIVEN = new Set([
  SyntaxKind.CallExpression,
  SyntaxKind.JsxExpression,
  SyntaxKind.PropertyAssignment,
  SyntaxKind.BinaryExpression,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ReturnStatement,
  SyntaxKind.ArrowFunction,
  SyntaxKind.VariableDeclaration,
  ...SPREAD,
])

/** Returns the path of each message that is not shown, such as `door.logIn.title`. */
export function findUnusedTexts(): string[] {
  const api = new API({ cwd: PROJECT })
  try {
    const openProjects = [join(PROJECT, 'tsconfig.json'), join(WEB, 'tsconfig.json')]
    const projects = api.updateSnapshot({ openProjects }).getProjects()
    const found = projects.map((project) => new ShownTexts(project).find())
    const messages = new Set(found.flatMap((one) => one.messages))
    if (messages.size === 0) throw new Error('The compiler knows no messages.')
    const shown = new Set(found.flatMap((one) => [...one.shown]))
    return [...messages].filter((path) => !shown.has(path)).sort()
  } finally {
    api.close()
  }
}

class ShownTexts {
  readonly #project: Project
  /** Paths of messages and groups, by the place of their declaration. */
  readonly #paths = new Map<string, string>()
  readonly #names = new Set<string>()
  readonly #messages: string[] = []
  readonly #shown = new Set<string>()

  constructor(project: Project) {
    this.#project = project
  }

  find(): { readonly messages: readonly string[]; readonly shown: ReadonlySet<string> } {
    const { program } = this.#project
    const files = program.getSourceFileNames().filter((file) => file.startsWith(PROJECT))
    for (const file of files) {
      const [, area] = TYPES.exec(file) ?? []
      if (area) this.#declare(program.getSourceFile(file)!, area)
    }
    for (const path of files) {
      const file = CODE.test(path.slice(PROJECT.length)) ? program.getSourceFile(path) : undefined
      if (file && /texts/i.test(path + file.text)) this.#read(file)
    }
    return { messages: this.#messages, shown: this.#shown }
  }

  /** Notes the keys of a group. */
  #declare(node: Node, path: string): void {
    if (!isPropertySignatureDeclaration(node)) {
      node.forEachChild((child) => this.#declare(child, path))
      return
    }
    const meaning = this.#project.checker.getSymbolAtLocation(node.name)
    if (!meaning) return
    const inner = `${path}.${meaning.name}`
    for (const place of placesOf(meaning)) this.#paths.set(place, inner)
    this.#names.add(meaning.name)
    if (node.type.kind === SyntaxKind.TypeLiteral) this.#declare(node.type, inner)
    else this.#messages.push(inner)
  }

  #read(file: Node): void {
    const { checker } = this.#project
    const visit = (node: Node) => {
      if (isPropertyAccessExpression(node) && this.#names.has(node.name.text))
        this.#show(checker.getSymbolAtLocation(node.name))
      else if (isElementAccessExpression(node)) {
        const key = node.argumentExpression
        if (!isStringLiteral(key)) this.#showAllOf(this.#typeAt(node.expression))
        else if (this.#names.has(key.text)) this.#show(checker.getSymbolAtLocation(key))
      } else if (isObjectBindingPattern(node)) {
        const type = this.#typeAt(node)
        for (const { dotDotDotToken, propertyName, name } of node.elements) {
          const key = propertyName ?? name
          if (dotDotDotToken) this.#showAllOf(type)
          else if (type && key && isIdentifier(key) && this.#names.has(key.text))
            this.#show(checker.getPropertyOfType(type, key.text))
        }
      }
      if (GIVEN.has(node.parent?.kind)) this.#give(node)
      node.forEachChild(visit)
    }
    visit(file)
  }

  #show(meaning: Meaning | undefined): void {
    for (const path of meaning ? this.#pathsOf(meaning) : []) this.#shown.add(path)
  }

  /** A group that is expected as such is read where it arrives. */
  #give(node: Node): void {
    const name = isPropertyAccessExpression(node) ? node.name.text : isIdentifier(node) ? node.text : ''
    if (!this.#names.has(name)) return
    const type = this.#typeAt(node)
    if (this.#keysOf(type).length === 0) return
    const expected = this.#expectedAt(node as Expression)
    const isElsewhere = expected ? this.#keysOf(expected).length === 0 : SPREAD.includes(node.parent.kind)
    if (isElsewhere) this.#showAllOf(type)
  }

  /** Undefined where the compiler cannot tell: it fails at tuples, which no group is. */
  #typeAt(node: Node): Type | undefined {
    try {
      return this.#project.checker.getTypeAtLocation(node)
    } catch {
      return undefined
    }
  }

  #expectedAt(node: Expression): Type | undefined {
    try {
      return this.#project.checker.getContextualType(node)
    } catch {
      return undefined
    }
  }

  #keysOf(type: Type | undefined): readonly string[] {
    if (!type) return []
    return this.#project.checker.getPropertiesOfType(type).flatMap((meaning) => this.#pathsOf(meaning))
  }

  #pathsOf(meaning: Meaning): readonly string[] {
    return placesOf(meaning).flatMap((place) => this.#paths.get(place) ?? [])
  }

  #showAllOf(type: Type | undefined): void {
    for (const group of this.#keysOf(type))
      for (const path of this.#messages)
        if (path === group || path.startsWith(`${group}.`)) this.#shown.add(path)
  }
}

/** Returns what is the same for all uses of a name, which may be declared in several groups of which one is meant. */
function placesOf({ declarations }: Meaning): readonly string[] {
  return declarations.map(({ path, index }) => `${path} ${index}`)
}
