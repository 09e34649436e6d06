export { eraseSavedViews } from './erase.ts'
export { deleteView, listViews, saveView } from './manage.ts'
export { SavedView, SavedViewQuery, SavedViews, SaveView } from './schema.ts'
