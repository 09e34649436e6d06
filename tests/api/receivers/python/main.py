"""Prints a JSON array of booleans: the result of the example for each vector. The argument is the file of vectors."""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[4] / "src/api/receivers"))
from verify_webhook import verify_webhook  # noqa: E402

vectors = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["vectors"]
print(json.dumps([verify_webhook(v["secret"], v["header"], v["body"].encode(), v["now"]) for v in vectors]))
