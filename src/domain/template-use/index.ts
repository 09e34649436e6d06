export { previewTemplate } from './preview.ts'
export { removeTemplate, type TemplateUser } from './remove.ts'
