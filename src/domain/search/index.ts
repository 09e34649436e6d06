export { search } from './find.ts'
export { SearchQuery, SearchResult } from './schema.ts'
