import { BadRequestError } from '../../core/errors.ts'
import { parseTemplate, type Template, TemplateError } from '../../integrations/template-language.ts'

/** Returns a template that an owner has written. @throws BadRequestError for a template that cannot be read */
export function requireTemplate(template = ''): Template {
  try {
    return parseTemplate(template)
  } catch (error) {
    if (error instanceof TemplateError) throw new BadRequestError(`Invalid template: ${error.message}`)
    throw error
  }
}
