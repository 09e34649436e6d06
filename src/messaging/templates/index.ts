export {
  faultsOfVariables,
  fillTemplate,
  hasAllValues,
  type TemplateContent,
} from './content.ts'
export { changeLockedTemplate, createTemplate, listTemplates, readTemplate } from './manage.ts'
export {
  ChangeTemplate,
  CreateTemplate,
  PreviewTemplate,
  Template,
  TemplatePreview,
} from './schema.ts'
export { deleteTemplate, findTemplate, findTemplates, lockTemplate } from './sql.ts'
