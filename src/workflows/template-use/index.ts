export { changeTemplate } from './change.ts'
export { previewTemplate } from './preview.ts'
export { removeTemplate } from './remove.ts'
