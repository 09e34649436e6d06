export { SearchQuery, SearchResult } from './schema.ts'
export { search } from './search.ts'
