<?php

// Prints what the example makes of each vector: a JSON array of booleans. The file of vectors is the one argument.
require __DIR__ . '/../../../../src/http/receivers/verify_webhook.php';

$vectors = json_decode(file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR)['vectors'];
echo json_encode(array_map(fn($v) => verify_webhook($v['secret'], $v['header'], $v['body'], $v['now']), $vectors));
