/** Writes generated.ts from the published document. `bun run openapi` runs it after it has written the document. */
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'

const source = await Bun.file(join(import.meta.dir, '../../openapi/openapi.json')).text()
await Bun.write(join(import.meta.dir, '../../src/dashboard/api/generated.ts'), astToString(await openapiTypes(source)))
